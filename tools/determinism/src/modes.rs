//! Threads whose arithmetic is in another mode: no world is created, and none is stepped.
#![cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#![allow(unsafe_code, reason = "only an instruction sets the modes of a processor")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use throng::{ArithmeticFault, Error, Settings, Species, World};

/// Bits of the control register, and the fault that each causes.
#[cfg(target_arch = "x86_64")]
const MODES: [(u64, ArithmeticFault); 5] = [
    (0x2000, ArithmeticFault::Rounding),
    (0x4000, ArithmeticFault::Rounding),
    (0x6000, ArithmeticFault::Rounding),
    (0x8000, ArithmeticFault::FlushToZero),
    (0x0040, ArithmeticFault::DenormalsAreZero),
];

/// The modes of 64-bit Arm. One bit flushes results and operands.
#[cfg(target_arch = "aarch64")]
const MODES: [(u64, ArithmeticFault); 4] = [
    (0x0040_0000, ArithmeticFault::Rounding),
    (0x0080_0000, ArithmeticFault::Rounding),
    (0x00c0_0000, ArithmeticFault::Rounding),
    (0x0100_0000, ArithmeticFault::FlushToZero),
];

/// Changes the bits of this thread's control register.
#[cfg(target_arch = "x86_64")]
fn toggle(bits: u64) {
    let mut before = 0_u32;
    // SAFETY: the pointers are valid for four bytes, and the bits are modes of arithmetic. The callers only compare
    // what the library returns before they toggle the bits back.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut before, options(nostack));
        let after = before ^ bits as u32;
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const after, options(nostack));
    }
}

/// Changes the bits of this thread's control register.
#[cfg(target_arch = "aarch64")]
fn toggle(bits: u64) {
    // SAFETY: the bits are modes of arithmetic. The callers only compare what the library returns before they toggle
    // the bits back.
    unsafe {
        let mut register: u64;
        std::arch::asm!("mrs {}, fpcr", out(reg) register);
        register ^= bits;
        std::arch::asm!("msr fpcr, {}", in(reg) register);
    }
}

/// Calls a function with these bits of the control register changed.
fn with_mode<T>(bits: u64, work: impl FnOnce() -> T) -> T {
    toggle(bits);
    let result = work();
    toggle(bits);
    result
}

#[test]
fn a_world_is_refused_in_another_mode() {
    assert_eq!(throng::check_arithmetic(), Ok(()));
    for (bits, fault) in MODES {
        let found = with_mode(bits, throng::check_arithmetic);
        assert_eq!(found, Err(fault), "{bits:x}");
        let world = with_mode(bits, || World::<2>::new(Settings::default()));
        assert_eq!(world.map(|_| ()), Err(Error::Arithmetic(fault)), "{bits:x}");
    }
}

#[test]
fn a_step_in_another_mode_changes_nothing() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let bird = world.add_species(Species::new("bird")).unwrap();
    world.spawn(bird, [1.0, 2.0], [3.0, 4.0]).unwrap();
    world.step();
    let (hash, hook) = (world.state_hash(), std::panic::take_hook());
    std::panic::set_hook(Box::new(|_| {}));
    let outcomes = MODES.map(|(bits, _)| {
        with_mode(bits, || catch_unwind(AssertUnwindSafe(|| world.step())))
            .map_err(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
    });
    std::panic::set_hook(hook);
    for (outcome, (_, fault)) in outcomes.into_iter().zip(MODES) {
        assert_eq!(outcome, Err(Error::Arithmetic(fault).to_string()));
    }
    for (bits, fault) in MODES {
        let stepped = with_mode(bits, || world.try_step());
        assert_eq!(stepped, Err(Error::Arithmetic(fault)), "{bits:x}");
    }
    assert_eq!((world.state_hash(), world.tick()), (hash, 1));
    world.step();
    assert_eq!(world.tick(), 2);
}
