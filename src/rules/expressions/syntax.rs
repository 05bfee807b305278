//! The syntax of statements: text to trees, with the place of every part in its text.

use crate::base::values::Mistake;

/// A part of an expression, and the byte at which it starts.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) at: usize,
    pub(crate) node: Node,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Number(f32),
    Name(String),
    /// A component of a vector: the number of its axis.
    Component(Box<Expr>, usize),
    Call(String, Vec<Expr>),
    Negative(Box<Expr>),
    Not(Box<Expr>),
    /// An operator, the byte at which it stands, and its operands.
    Binary(Operator, usize, Box<Expr>, Box<Expr>),
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

/// A statement: what it sets, and to what.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Whether it names an intermediate result.
    pub(super) is_let: bool,
    pub(super) target: (usize, String),
    /// The operator of `+=` and the like.
    pub(super) operator: Option<Operator>,
    pub(super) value: Expr,
}

/// The words of the syntax, which name nothing.
pub(super) const WORDS: [&str; 4] = ["and", "or", "not", "let"];

/// The deepest nesting of an expression.
const DEEPEST: usize = 64;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f32),
    Name(String),
    /// One or two characters.
    Sign(&'static str),
    End,
}

/// All signs, the longer ones first.
const SIGNS: [&str; 21] =
    ["**", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "<", ">", "=", "+", "-", "*", "/", "^", "(", ")", ",", "."];

/// Returns the tokens of a text, each with its first byte.
fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Mistake> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let token = if character.is_whitespace() {
            at += character.len_utf8();
            continue;
        } else if character.is_ascii_digit()
            || (character == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let length = number_length(rest);
            let number: f32 = rest[..length].parse().map_err(|_| Mistake::new(at, "not a number"))?;
            if !number.is_finite() {
                return Err(Mistake::new(at, "the number is too large"));
            }
            at += length;
            (at - length, Token::Number(number))
        } else if character.is_ascii_alphabetic() || character == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += end;
            (at - end, Token::Name(rest[..end].to_owned()))
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            at += sign.len();
            (at - sign.len(), Token::Sign(sign))
        } else {
            return Err(Mistake::new(at, format!("`{}` has no meaning", character.escape_debug())));
        };
        tokens.push(token);
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}

/// Returns the number of bytes of the number with which a text starts.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

/// Reads one statement.
pub(super) fn parse(text: &str) -> Result<Statement, Mistake> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
    let is_let = parser.takes_name("let");
    let target = match parser.take() {
        (at, Token::Name(name)) if !WORDS.contains(&&name[..]) => (at, name),
        (at, _) => {
            return Err(Mistake::new(at, "a statement sets something, such as `phase += dt * mean(phase_j - phase)`"));
        }
    };
    let (at, sign) = parser.take();
    let operator = match sign {
        Token::Sign("=") => None,
        Token::Sign("+=") if !is_let => Some(Operator::Plus),
        Token::Sign("-=") if !is_let => Some(Operator::Minus),
        Token::Sign("*=") if !is_let => Some(Operator::Times),
        Token::Sign("/=") if !is_let => Some(Operator::Over),
        _ if is_let => return Err(Mistake::new(at, "expected `=`")),
        _ => return Err(Mistake::new(at, "expected `=`, `+=`, `-=`, `*=` or `/=`")),
    };
    let value = parser.whole()?;
    Ok(Statement { is_let, target, operator, value })
}

/// Reads an expression alone.
pub(crate) fn parse_value(text: &str) -> Result<Expr, Mistake> {
    Parser { tokens: tokens(text)?, next: 0, depth: 0 }.whole()
}

impl Token {
    fn shown(&self) -> String {
        match self {
            Self::Number(number) => format!("`{number}`"),
            Self::Name(name) => format!("`{name}`"),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
}

/// The operators that bind as tightly as each other, the loosest first.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("<", Operator::Less),
        ("<=", Operator::LessOrEqual),
        (">", Operator::Greater),
        (">=", Operator::GreaterOrEqual),
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Over)],
];

/// The level of comparisons: only one may stand in a row. `not` binds just more loosely.
const COMPARISONS: usize = 2;

impl Parser {
    fn peek(&self) -> &(usize, Token) {
        &self.tokens[self.next]
    }

    fn take(&mut self) -> (usize, Token) {
        let token = self.tokens[self.next].clone();
        self.next = (self.next + 1).clamp(0, self.tokens.len() - 1);
        token
    }

    fn takes_name(&mut self, name: &str) -> bool {
        let takes = matches!(&self.peek().1, Token::Name(next) if next == name);
        self.next += usize::from(takes);
        takes
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let takes = matches!(&self.peek().1, Token::Sign(next) if *next == sign);
        self.next += usize::from(takes);
        takes
    }

    fn expect(&mut self, sign: &str) -> Result<(), Mistake> {
        if self.takes_sign(sign) {
            return Ok(());
        }
        let (at, token) = self.peek();
        Err(Mistake::new(*at, format!("expected `{sign}` before {}", token.shown())))
    }

    /// An expression up to the end of the text.
    fn whole(&mut self) -> Result<Expr, Mistake> {
        let value = self.expression(0)?;
        match self.take() {
            (_, Token::End) => Ok(value),
            (at, token) => Err(Mistake::new(at, format!("{} does not belong here", token.shown()))),
        }
    }

    /// An expression of the operators from this level on.
    fn expression(&mut self, level: usize) -> Result<Expr, Mistake> {
        let Some(operators) = LEVELS.get(level) else { return self.signed() };
        if level == COMPARISONS {
            let at = self.peek().0;
            if self.takes_name("not") {
                let of = self.nested(|parser| parser.expression(COMPARISONS))?;
                return Ok(Expr { at, node: Node::Not(Box::new(of)) });
            }
        }
        let mut left = self.expression(level + 1)?;
        let mut compared = false;
        while let Some((operator, at)) = self.operator(operators) {
            if compared {
                return Err(Mistake::new(at, "join two comparisons by `and`"));
            }
            let right = self.expression(level + 1)?;
            left = Expr { at: left.at, node: Node::Binary(operator, at, Box::new(left), Box::new(right)) };
            compared = level == COMPARISONS;
        }
        Ok(left)
    }

    /// The next token as one of these operators, and its place.
    fn operator(&mut self, operators: &[(&str, Operator)]) -> Option<(Operator, usize)> {
        let (at, token) = self.peek();
        let (at, word) = (
            *at,
            match token {
                Token::Sign(sign) => sign,
                Token::Name(name) => &name[..],
                _ => return None,
            },
        );
        let (_, found) = *operators.iter().find(|(known, _)| *known == word)?;
        self.next += 1;
        Some((found, at))
    }

    /// A sign before a power: -x^2 is -(x^2).
    fn signed(&mut self) -> Result<Expr, Mistake> {
        let at = self.peek().0;
        if self.takes_sign("-") {
            let of = self.nested(Self::signed)?;
            return Ok(Expr { at, node: Node::Negative(Box::new(of)) });
        }
        if self.takes_sign("+") {
            return self.nested(Self::signed);
        }
        let base = self.component()?;
        let power = self.peek().0;
        if self.takes_sign("^") || self.takes_sign("**") {
            let exponent = self.nested(Self::signed)?;
            return Ok(Expr { at, node: Node::Binary(Operator::Power, power, Box::new(base), Box::new(exponent)) });
        }
        Ok(base)
    }

    /// An atom, and the component of a vector that it names.
    fn component(&mut self) -> Result<Expr, Mistake> {
        let mut of = self.atom()?;
        while self.takes_sign(".") {
            let (at, token) = self.take();
            let axis = match &token {
                Token::Name(name) => ["x", "y", "z"].iter().position(|axis| axis == name),
                _ => None,
            };
            let axis = axis.ok_or_else(|| Mistake::new(at, "a vector has the components x, y and z"))?;
            of = Expr { at: of.at, node: Node::Component(Box::new(of), axis) };
        }
        Ok(of)
    }

    fn atom(&mut self) -> Result<Expr, Mistake> {
        let (at, token) = self.take();
        match token {
            Token::Number(number) => Ok(Expr { at, node: Node::Number(number) }),
            Token::Name(word) if WORDS.contains(&&word[..]) => {
                Err(Mistake::new(at, format!("expected a value before `{word}`")))
            }
            Token::Name(name) if self.takes_sign("(") => {
                let mut arguments = Vec::new();
                if !self.takes_sign(")") {
                    loop {
                        arguments.push(self.nested(|parser| parser.expression(0))?);
                        if !self.takes_sign(",") {
                            break;
                        }
                    }
                    self.expect(")")?;
                }
                Ok(Expr { at, node: Node::Call(name, arguments) })
            }
            Token::Name(name) => Ok(Expr { at, node: Node::Name(name) }),
            Token::Sign("(") => {
                let inner = self.nested(|parser| parser.expression(0))?;
                self.expect(")")?;
                Ok(inner)
            }
            other => Err(Mistake::new(at, format!("expected a value before {}", other.shown()))),
        }
    }

    /// Reads something one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Mistake>) -> Result<T, Mistake> {
        if self.depth == DEEPEST {
            return Err(Mistake::new(
                self.peek().0,
                format!("nested more than {DEEPEST} deep: name parts of it with `let`"),
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
