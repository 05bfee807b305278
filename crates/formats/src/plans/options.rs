//! The options of reading a floor plan.

/// The conversion of coordinates from a file to metres: `origin + scale * (x, y)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres per unit of the file; `None` for the unit that the file declares.
    pub scale: Option<f64>,
    /// The position of the file's point (0, 0), in metres. In a drawing, whose y axis points down, this point is the
    /// lower left corner of the page. `None` for (0, 0); a plan in the coordinates of a map, more than 10 km from zero,
    /// is then moved to zero.
    pub origin: Option<[f64; 2]>,
    /// The largest distance between a curve and its straight segments, in metres, or in units of the file if there is
    /// no scale.
    pub tolerance: f64,
    /// The number of the one polygon or line that is read of well-known text or GeoJSON, from zero; `None` for all.
    pub element: Option<usize>,
    /// The features of GeoJSON that are read, each as `KEY=VALUE`: those whose property `KEY`, or member of this name, is
    /// `VALUE` or a list with it. Of several values of one property any is enough; empty for all features.
    pub select: Vec<String>,
    /// The shapes that are walls. In an SVG, filled shapes without a stroke: ids or labels of shapes or groups, or colours such as
    /// `#333333`. In a DXF, the names of layers. `None` if no one has said which are: those with a word for a wall in their
    /// names.
    pub walls: Option<Vec<String>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, origin: None, tolerance: 0.01, element: None, select: Vec::new(), walls: None }
    }
}
