"""Tables and views as Arrow streams, read by the libraries themselves."""

import gc

import duckdb
import numpy as np
import polars
import pyarrow  # type: ignore[import-untyped]
import pytest
import throng


def test_polars(world: throng.World) -> None:
    frame = polars.DataFrame(world.table("bird"))
    assert frame.height == 200 and frame.columns[:2] == ["id", "x"] and frame.schema["id"] == polars.UInt64
    np.testing.assert_array_equal(frame["x"].to_numpy(), world.positions("bird")[:, 0])
    world.step()
    assert frame["load"].sum() == 300.0


def test_pyarrow(world: throng.World) -> None:
    world.add_column("bird", "pair", [1, 2], dtype="uint32")
    table = pyarrow.table(world.table("bird"))
    assert table.schema.field("pair").type == pyarrow.list_(pyarrow.field("item", pyarrow.uint32(), nullable=False), 2)
    assert table.column("pair").to_pylist() == [[1, 2]] * 200
    table.validate(full=True)
    np.testing.assert_array_equal(table.column("id").to_numpy(), world.ids("bird"))


def test_duckdb(world: throng.World) -> None:
    birds = world.table("bird")
    relation = duckdb.sql("select count(*), avg(x) from birds")
    assert relation is not None
    count, mean = relation.fetchall()[0]
    assert count == 200 and mean == pytest.approx(float(world.positions("bird")[:, 0].mean()), rel=1e-5)


def test_a_view_is_read_without_a_copy(world: throng.World) -> None:
    with world.view("bird") as columns:
        table = pyarrow.table(columns)
        address = table.column("x").chunk(0).buffers()[1].address
        assert address == columns["x"].ctypes.data
    expected = world.positions("bird")[:, 0]
    with pytest.raises(BufferError):
        world.step()
    np.testing.assert_array_equal(table.column("x").to_numpy(), expected)
    del table
    gc.collect()
    world.step()


def test_a_batch_is_read_without_a_copy(world: throng.World) -> None:
    with world.view("bird") as columns:
        batch = pyarrow.record_batch(columns)
        assert batch.column("x").buffers()[1].address == columns["x"].ctypes.data
        capsules = columns.__arrow_c_array__()
    batch.validate(full=True)
    assert batch.schema == pyarrow.record_batch(world.table("bird")).schema and batch.num_rows == 200
    for kept in ["batch", "capsules"]:
        with pytest.raises(BufferError):
            world.step()
        if kept == "batch":
            del batch
        else:
            del capsules
        gc.collect()
    world.step()


def test_a_stream_that_is_not_read_ends(world: throng.World) -> None:
    with world.view("bird") as columns:
        capsule = columns.__arrow_c_stream__()
    with pytest.raises(BufferError):
        world.step()
    del capsule
    world.step()
    reader = pyarrow.RecordBatchReader.from_stream(world.table("bird"))
    assert reader.schema.names[0] == "id"
    del reader


def test_a_table_as_arrays(world: throng.World) -> None:
    world.add_species("hawk", states=["search", "chase"])
    table = world.table("bird")
    assert len(table) == 200 and "load" in table and table["load"].tolist() == [1.5] * 200
    assert list(table.to_dict()) == table.keys() and "200 rows" in repr(table)
    assert world.table("hawk").keys()[:2] == ["id", "state"] and len(world.table("hawk")) == 0
    assert polars.DataFrame(world.table("hawk")).height == 0
    with pytest.raises(throng.NotFoundError):
        table["energy"]
