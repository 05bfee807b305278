//! Row groups and the footer of a Parquet file.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataBuilder, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr, WriterVersion};
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{ColumnPath, SchemaDescPtr};

use super::cells::{Cells, Layout, Numbers, schema};

/// The first and the last bytes of a file.
const MAGIC: &[u8] = b"PAR1";

/// The row groups of a file in progress. Each is encoded in memory and written as a whole; the footer comes last, so a
/// file can be continued from any of them.
#[derive(Debug)]
pub(crate) struct Groups {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    metadata: Vec<KeyValue>,
    groups: Vec<RowGroupMetaData>,
    /// The ends of the row groups in the file.
    ends: Vec<u64>,
}

impl Groups {
    /// A file with these columns, and with names and values that describe it.
    pub(crate) fn new(columns: &[Layout], metadata: Vec<(String, String)>) -> io::Result<Self> {
        let metadata = metadata.into_iter().map(|(key, value)| KeyValue::new(key, Some(value))).collect();
        let schema = schema(columns).map_err(io::Error::other)?;
        let properties = properties(columns);
        Ok(Self { schema, properties, metadata, groups: Vec::new(), ends: Vec::new() })
    }

    /// Writes the first bytes.
    pub(crate) fn start(to: &mut dyn Write) -> io::Result<()> {
        to.write_all(MAGIC)
    }

    /// The length of the file so far.
    fn length(&self) -> u64 {
        self.ends.last().copied().unwrap_or(MAGIC.len() as u64)
    }

    /// Writes a row group.
    pub(crate) fn write(&mut self, cells: &[Cells], to: &mut dyn Write) -> io::Result<()> {
        let (bytes, group) = self.encode(cells).map_err(io::Error::other)?;
        to.write_all(&bytes)?;
        self.ends.push(self.length() + bytes.len() as u64);
        self.groups.push(group);
        Ok(())
    }

    /// Forgets the row groups that end beyond this length of the file.
    pub(crate) fn cut(&mut self, length: u64) {
        let count = self.ends.iter().take_while(|end| **end <= length).count();
        self.ends.truncate(count);
        self.groups.truncate(count);
    }

    /// The number of row groups.
    pub(crate) fn count(&self) -> usize {
        self.groups.len()
    }

    /// Writes the footer.
    pub(crate) fn finish(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &self.footer()).finish().map_err(io::Error::other)?;
        to.write_all(&bytes)
    }

    /// The row groups so far, as bytes.
    pub(crate) fn save(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for end in [self.ends.len() as u64].iter().chain(&self.ends) {
            bytes.extend(end.to_le_bytes());
        }
        self.finish(&mut bytes)?;
        Ok(bytes)
    }

    /// Continues after the row groups of these bytes.
    pub(crate) fn load(&mut self, bytes: &[u8]) -> io::Result<()> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the state of the row groups is damaged");
        let mut rest = bytes;
        let mut next = || {
            let (word, tail) = rest.split_first_chunk::<8>()?;
            rest = tail;
            Some(u64::from_le_bytes(*word))
        };
        let count = next().ok_or_else(damaged)?;
        let ends: Option<Vec<u64>> = (0..count).map(|_| next()).collect();
        // After the footer are its length and the magic bytes.
        let footer = rest.len().checked_sub(4 + MAGIC.len()).ok_or_else(damaged)?;
        let footer = ParquetMetaDataReader::decode_metadata(&rest[..footer]).map_err(io::Error::other)?;
        let same = footer.file_metadata().schema_descr().root_schema() == self.schema.root_schema();
        self.ends = ends.filter(|ends| same && ends.len() == footer.num_row_groups()).ok_or_else(damaged)?;
        self.groups = footer.row_groups().to_vec();
        self.metadata = footer.file_metadata().key_value_metadata().cloned().unwrap_or_default();
        Ok(())
    }

    fn footer(&self) -> ParquetMetaData {
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let by = format!("throng-formats version {}", env!("CARGO_PKG_VERSION"));
        let metadata = Some(self.metadata.clone());
        let file = FileMetaData::new(1, rows, Some(by), metadata, self.schema.clone(), None);
        let builder: ParquetMetaDataBuilder = ParquetMetaData::new(file, Vec::new()).into_builder();
        builder.set_row_groups(self.groups.clone()).build()
    }

    /// Encodes a row group that starts at the end of the file.
    fn encode(&self, cells: &[Cells]) -> Result<(Vec<u8>, RowGroupMetaData)> {
        let ordinal = i32::try_from(self.groups.len()).unwrap_or(i32::MAX);
        let mut buffer = TrackedWrite::new(Vec::new());
        let (schema, properties) = (self.schema.clone(), self.properties.clone());
        let mut group = SerializedRowGroupWriter::new(schema, properties, &mut buffer, ordinal, None);
        for column in cells {
            let Some(mut writer) = group.next_column()? else { break };
            let filled = Some(&column.filled[..]).filter(|filled| !filled.is_empty());
            match &column.numbers {
                Numbers::I64(numbers) => writer.typed::<Int64Type>().write_batch(numbers, filled, None)?,
                Numbers::I32(numbers) => writer.typed::<Int32Type>().write_batch(numbers, filled, None)?,
                Numbers::F32(numbers) => writer.typed::<FloatType>().write_batch(numbers, filled, None)?,
                Numbers::F64(numbers) => writer.typed::<DoubleType>().write_batch(numbers, filled, None)?,
                Numbers::Text(texts) => {
                    let texts = shared(texts);
                    writer.typed::<ByteArrayType>().write_batch(&texts, filled, None)?
                }
            };
            writer.close()?;
        }
        let group = group.close()?;
        let from = self.length() as i64;
        let moved = |column: &ColumnChunkMetaData| {
            let dictionary = column.dictionary_page_offset().map(|offset| offset + from);
            let builder = column.clone().into_builder().set_data_page_offset(column.data_page_offset() + from);
            builder.set_dictionary_page_offset(dictionary).build()
        };
        let columns = group.columns().iter().map(moved).collect::<Result<Vec<_>>>()?;
        let moved = (*group).clone().into_builder().set_column_metadata(columns).set_file_offset(from).build()?;
        Ok((buffer.into_inner()?, moved))
    }
}

/// Texts as bytes; equal neighbours share theirs.
fn shared(texts: &[Arc<str>]) -> Vec<ByteArray> {
    let mut last: Option<(&Arc<str>, ByteArray)> = None;
    let bytes = texts.iter().map(|text| {
        let same = last.take().filter(|(own, _)| Arc::ptr_eq(own, text));
        let (_, bytes) = last.insert(same.unwrap_or_else(|| (text, ByteArray::from(&**text))));
        bytes.clone()
    });
    bytes.collect()
}

/// Numbers are stored as they are, or as differences; texts and numbers that repeat have dictionaries.
fn properties(columns: &[Layout]) -> WriterPropertiesPtr {
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for column in columns {
        let path = || ColumnPath::new(vec![column.name.clone()]);
        if column.repeats {
            builder = builder.set_column_dictionary_enabled(path(), true);
        }
        if column.delta {
            // With the least and the largest tick of each row group, a reader skips those that it does not need.
            builder = builder.set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED);
            builder = builder.set_column_statistics_enabled(path(), EnabledStatistics::Chunk);
        }
    }
    Arc::new(builder.build())
}
