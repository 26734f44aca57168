const listOf = (names: string): readonly string[] => names.trim().split(/\s+/u)

/** Functions of the system that statements of the service call. A test compares the list with the golden statements. */
export const usedFunctions = listOf(`
  abs acldefault aclexplode array_agg array_length array_to_json array_to_string avg bool_or cardinality ceil
  chr clock_timestamp concat_ws convert_to count current_database current_schema current_schemas current_setting
  date_trunc encode floor format format_type generate_series has_any_column_privilege has_column_privilege
  has_database_privilege has_schema_privilege has_table_privilege hashoidextended hashtextextended isfinite
  json_agg json_array_elements json_array_elements_text json_build_object json_each json_object_agg
  json_populate_record json_to_recordset json_typeof jsonb_array_length jsonb_typeof left length lower max md5
  min nextval now octet_length pg_advisory_xact_lock pg_backend_pid pg_create_logical_replication_slot
  pg_current_wal_insert_lsn pg_current_wal_lsn pg_drop_replication_slot pg_get_expr pg_get_serial_sequence
  pg_has_role pg_logical_emit_message pg_partition_root pg_partition_tree pg_sequence_last_value pg_table_size
  pg_terminate_backend pg_wal_lsn_diff pg_walfile_name power quote_ident random repeat replace round row_number
  rtrim set_config setval sha256 split_part string_agg string_to_array substr sum system to_char to_json
  to_jsonb to_regclass translate trim_scale txid_current txid_current_snapshot txid_snapshot_xip
  txid_snapshot_xmax txid_visible_in_snapshot unnest`)

export const usedOperators = listOf(
  '= <> < <= > >= + - * / % ^ & | << >> || ~ ~* !~ !~* ~~ !~~ ~~* !~~* #> #>> -> ->> @> <@',
)
