//! Tables written as Parquet have the same rows when they are read.

#![cfg(feature = "parquet")]

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;

use parquet::data_type::{BoolType, DataType, Int32Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use throng_formats::table::{Column, ColumnCells, read_parquet, write_parquet};

/// Writes these bytes to a file, and reads them as a table.
fn read(name: &str, bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
    let path: PathBuf = std::env::temp_dir().join(format!("throng-tables-{}-{name}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    let rows = read_parquet(File::open(&path).unwrap());
    fs::remove_file(&path).unwrap();
    rows
}

fn written(columns: &[(&str, &[&str])]) -> Vec<u8> {
    let column =
        |(name, fields): &(&str, &[&str])| Column { name: (*name).to_owned(), cells: ColumnCells::of_fields(fields) };
    let columns: Vec<Column> = columns.iter().map(column).collect();
    let mut bytes = Vec::new();
    write_parquet(&columns, vec![("program".to_owned(), "test".to_owned())], &mut bytes).unwrap();
    bytes
}

const TABLE: [(&str, &[&str]); 5] = [
    ("tick", &["0", "-10", "9223372036854775807"]),
    ("speed", &["1.5", "", "0.1"]),
    ("count", &["", "", "7"]),
    ("room", &["007", "12", ""]),
    ("note", &["", "", ""]),
];

#[test]
fn a_table_is_read_as_it_was_written() {
    let rows = read("whole.parquet", &written(&TABLE)).unwrap();
    assert_eq!(rows[0], TABLE.map(|(name, _)| name));
    assert_eq!(rows.len(), 4);
    for (number, row) in rows[1..].iter().enumerate() {
        assert_eq!(*row, TABLE.map(|(_, fields)| fields[number]), "row {number}");
    }
    assert_eq!(read("empty.parquet", &written(&[("tick", &[])])).unwrap(), [["tick"]]);
}

#[test]
fn fields_choose_the_kind_of_their_column() {
    let kind = |fields: &[&str]| match ColumnCells::of_fields(fields) {
        ColumnCells::Whole(_) => "whole",
        ColumnCells::Number(_) => "number",
        ColumnCells::Text(_) => "text",
    };
    let cases: [(&[&str], &str); 8] = [
        (&["1", "", "-2"], "whole"),
        (&["1", "2.5"], "number"),
        (&["nan", "0.5"], "number"),
        (&["0"], "whole"),
        (&["01"], "text"),
        (&["1", "two"], "text"),
        (&["", ""], "text"),
        (&["9223372036854775808"], "number"),
    ];
    for (fields, expected) in cases {
        assert_eq!(kind(fields), expected, "{fields:?}");
    }
    let ColumnCells::Number(numbers) = ColumnCells::numbers(&["1", "one", ""]) else { panic!("numbers") };
    assert_eq!(numbers, [Some(1.0), None, None]);
}

#[test]
fn columns_of_other_lengths_and_damaged_files_are_refused() {
    let column = |name: &str, cells| Column { name: name.to_owned(), cells };
    let columns =
        [column("a", ColumnCells::Whole(vec![Some(1); 2])), column("b", ColumnCells::Number(vec![Some(1.0); 3]))];
    assert!(write_parquet(&columns, Vec::new(), &mut Vec::new()).is_err());

    let bytes = written(&TABLE);
    for end in (0..bytes.len()).step_by(7) {
        assert!(read("cut.parquet", &bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
}

/// A file with one column of another program.
fn foreign<T: DataType>(schema: &str, values: &[T::T], levels: Option<[&[i16]; 2]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let [defined, repeated] = levels.map_or([None, None], |levels| levels.map(Some));
    column.typed::<T>().write_batch(values, defined, repeated).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn columns_that_are_not_numbers_or_texts_are_refused_by_name() {
    let flags = foreign::<BoolType>("message table { required boolean done; }", &[true, false], None);
    let refused = read("flags.parquet", &flags).unwrap_err();
    assert!(refused.contains("column done") && refused.contains("BOOLEAN"), "{refused}");
    let lists = foreign::<Int32Type>("message table { repeated int32 ways; }", &[1, 2], Some([&[1, 1], &[0, 1]]));
    let refused = read("lists.parquet", &lists).unwrap_err();
    assert!(refused.contains("column ways") && refused.contains("a cell holds a list"), "{refused}");
    let whole = foreign::<Int32Type>("message table { required int32 count; }", &[7, -1], None);
    assert_eq!(read("whole-32.parquet", &whole).unwrap(), [["count"], ["7"], ["-1"]]);
}
