//! The motions of the literature: one file per model.

mod active_brownian;
mod collision_free_speed;
mod couzin;
mod cucker_smale;
mod dorsogna;
mod flocking;
mod give_way;
mod gregoire_chate;
mod hardness;
mod kinematic;
mod olfati_saber;
mod shared;
#[cfg(test)]
mod one_by_one;
mod orca;
mod passing;
mod pedvo;
mod social_force;
mod vicsek;
mod walking;
mod walls;

pub use active_brownian::ActiveBrownian;
pub use collision_free_speed::CollisionFreeSpeed;
pub use couzin::Couzin;
pub use cucker_smale::CuckerSmale;
pub use dorsogna::DOrsogna;
pub use give_way::GivingWay;
pub use gregoire_chate::GregoireChate;
pub use kinematic::Kinematic;
pub use olfati_saber::OlfatiSaber;
pub use orca::Orca;
pub use passing::{Passing, Side};
pub use pedvo::Pedvo;
pub use shared::{Integrator, MovedWith, NoiseKind};
pub use social_force::SocialForce;
pub use vicsek::Vicsek;
pub use walking::Resting;
pub(crate) use walking::{gather, wanted_of};

use crate::rules::motion::NamedMotion;

/// All motions with default parameters, in the order of the documentation.
pub(crate) fn all<const D: usize>() -> Vec<Box<dyn NamedMotion<D>>> {
    vec![
        Box::new(Kinematic {}),
        Box::new(Vicsek::default()),
        Box::new(GregoireChate::default()),
        Box::new(Couzin::default()),
        Box::new(CuckerSmale::default()),
        Box::new(DOrsogna::default()),
        Box::new(OlfatiSaber::default()),
        Box::new(ActiveBrownian::default()),
        Box::new(Orca::default()),
        Box::new(Pedvo::default()),
        Box::new(SocialForce::default()),
        Box::new(CollisionFreeSpeed::default()),
    ]
}
