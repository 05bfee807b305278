//! Each model of motion has a page in `docs/models/` with the table of its parameters, and the overview lists it.

use throng::Registry;

use crate::behaviours::table;
use crate::page;

#[test]
fn every_model_has_a_page_with_its_parameters() {
    let (overview, registry) = (page::read("docs/models.md"), Registry::new());
    for motion in registry.motions::<2>() {
        let file = format!("docs/models/{}.md", motion.rule());
        assert!(overview.contains(&format!("(models/{}.md)", motion.rule())), "docs/models.md lacks {file}");
        let text = page::read(&file);
        let right = page::fill(&text, |name| {
            assert_eq!(name, "parameters");
            Some(table(motion))
        });
        assert!(right.contains("| parameter |") || motion.parameters().is_empty(), "{file} has a table");
        page::compare(&file, &right);
    }
}
