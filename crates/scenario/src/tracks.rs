//! The recorded tracks of a scenario.

use std::sync::Arc;

use throng::{Environment, Error, Track, Tracks};

use crate::start::in_dimensions;

/// The tracks of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TracksSpec {
    pub(crate) name: String,
    pub(crate) species: String,
    pub(crate) file: Arc<TracksOfFile>,
}

/// The tracks of a file in a world of two or three dimensions.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TracksOfFile {
    pub(crate) frame_seconds: f32,
    /// The first frame and the positions of each.
    pub(crate) tracks: Vec<(u64, Vec<[f32; 3]>)>,
}

impl TracksSpec {
    /// Adds the tracks to an environment.
    pub(crate) fn build<const D: usize>(&self, environment: &mut Environment<D>) -> Result<(), Error> {
        let track = |(first, positions): &(u64, Vec<[f32; 3]>)| Track {
            first: *first,
            positions: positions.iter().map(|position| in_dimensions(position)).collect(),
        };
        let tracks = self.file.tracks.iter().map(track).collect();
        let tracks = Tracks::new(&self.name[..], &self.species[..], self.file.frame_seconds, tracks);
        environment.tracks.add(tracks).map(drop)
    }
}
