create table "tain"."service_version" (
  "only_row" boolean not null default true check ("only_row"),
  "version" integer not null,
  "rights" integer not null default 1,
  "stamp" text generated always as ("version" || '.' || "rights") stored,
  primary key ("only_row"));
create table "tain"."service_collections" (
  "collection" text not null,
  "icon" text,
  "note" text,
  "display_template" text,
  "hidden" boolean not null default false,
  "singleton" boolean not null default false,
  "translations" json,
  "archive_field" text,
  "archive_app_filter" boolean not null default true,
  "archive_value" text,
  "unarchive_value" text,
  "sort_field" text,
  "accountability" text default 'all',
  "color" text,
  "item_duplication_fields" json,
  "sort" integer,
  "group" text,
  "collapse" text default 'open',
  "preview_url" text,
  "versioning" boolean not null default false,
  primary key ("collection"));
create table "tain"."service_fields" (
  "id" integer primary key autoincrement,
  "collection" text not null,
  "field" text not null,
  "special" text,
  "interface" text,
  "options" json,
  "display" text,
  "display_options" json,
  "readonly" boolean not null default false,
  "hidden" boolean not null default false,
  "required" boolean not null default false,
  "searchable" boolean not null default true,
  "sort" integer,
  "width" text default 'full',
  "group" text,
  "translations" json,
  "note" text,
  "conditions" json,
  "validation" json,
  "validation_message" text,
  unique ("collection", "field"));
create table "tain"."service_relations" (
  "id" integer primary key autoincrement,
  "many_collection" text not null,
  "many_field" text not null,
  "one_collection" text,
  "one_field" text,
  "one_collection_field" text,
  "one_allowed_collections" json,
  "junction_field" text,
  "sort_field" text,
  "one_deselect_action" text default 'nullify',
  unique ("many_collection", "many_field"));
create table "tain"."service_names" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "collection" text not null,
  "subject" text not null,
  "name" text not null,
  "instead" text);
create table "tain"."service_idempotency" (
  "key" text not null,
  "caller" text not null,
  "request" text not null,
  "status" integer,
  "body" text,
  "etag" text,
  "created" timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  primary key ("key", "caller"));
create table "tain"."service_schema_steps" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "schema" text not null,
  "table" text not null,
  "name" text not null,
  "created" timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')));
create table "tain"."service_login_failures" (
  "account" text not null,
  "network" text not null,
  "failures" integer not null,
  "last_failure" timestamp not null,
  "blocked_until" timestamp,
  primary key ("account", "network"));
create index "main"."service_login_failures_last_failure_index" on "service_login_failures" ("last_failure");
create table "tain"."service_one_time" (
  "kind" text not null,
  "key" text not null,
  "content" text,
  "expires" timestamp not null,
  primary key ("kind", "key"));
create index "main"."service_one_time_expires_index" on "service_one_time" ("expires");
create table "tain"."service_locks" (
  "name" text not null,
  "holder" text,
  "fence" integer not null default 0,
  "expires" timestamp,
  primary key ("name"));
create table "tain"."service_watch" (
  "name" text not null,
  "fingerprint" text,
  primary key ("name"));
create table "tain"."service_uploads" (
  "id" text not null,
  "kind" text not null,
  "caller" text not null,
  "content" text not null,
  "state" text not null,
  "file" text,
  "holder" text,
  "held_until" timestamp,
  "expires" timestamp not null,
  primary key ("id"));
create index "main"."service_uploads_expires_index" on "service_uploads" ("expires");
create table "tain"."service_outbox" (
  "seq" integer primary key autoincrement,
  "write" text not null,
  "collection" text not null,
  "item" text not null,
  "kind" text not null,
  "before" text,
  "after" text,
  "user" text,
  "at" timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')));
create table "tain"."service_events" (
  "position" integer not null,
  "write" text not null,
  "collection" text not null,
  "item" text not null,
  "kind" text not null,
  "before" text,
  "after" text,
  "user" text,
  "at" timestamp not null,
  "size" integer not null,
  primary key ("position"));
create index "main"."service_events_collection_position_index" on "service_events" ("collection", "position");
create table "tain"."service_event_head" (
  "only_row" boolean not null default true check ("only_row"),
  "epoch" text not null,
  "position" integer not null default 0,
  "oldest" integer not null default 0,
  "bytes" integer not null default 0,
  "identity" text,
  "mark" text,
  primary key ("only_row"));
create table "tain"."service_event_interest" (
  "collection" text not null,
  "since" integer not null,
  "until" timestamp not null,
  primary key ("collection"));
create table "tain"."service_extension_cursors" (
  "name" text not null,
  "epoch" text not null,
  "position" integer not null,
  primary key ("name"));
create table "tain"."service_activity" (
  "id" integer primary key autoincrement,
  "action" text not null,
  "user" text,
  "timestamp" timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "ip" text,
  "user_agent" text,
  "origin" text,
  "collection" text not null,
  "item" text not null);
create index "main"."service_activity_collection_item_index" on "service_activity" ("collection", "item");
create table "tain"."service_revisions" (
  "id" integer primary key autoincrement,
  "activity" integer not null,
  "collection" text not null,
  "item" text not null,
  "data" json,
  "delta" json,
  "parent" integer,
  "version" text,
  foreign key ("activity") references "service_activity" ("id") on delete cascade);
create index "main"."service_revisions_activity_index" on "service_revisions" ("activity");
create index "main"."service_revisions_collection_item_index" on "service_revisions" ("collection", "item");
create table "tain"."service_roles" (
  "id" uuid not null,
  "name" text not null,
  "icon" text not null default 'supervised_user_circle',
  "description" text,
  "parent" uuid,
  primary key ("id"),
  foreign key ("parent") references "service_roles" ("id") on delete set null);
create table "tain"."service_users" (
  "id" uuid not null,
  "first_name" text,
  "last_name" text,
  "email" text,
  "password" text,
  "location" text,
  "title" text,
  "description" text,
  "tags" json,
  "avatar" uuid,
  "language" text,
  "text_direction" text not null default 'auto',
  "tfa_secret" text,
  "status" text not null default 'active',
  "role" uuid,
  "token" text,
  "last_access" timestamp,
  "last_page" text,
  "provider" text not null default 'default',
  "external_identifier" text,
  "auth_data" json,
  "email_notifications" boolean not null default true,
  "appearance" text,
  "theme_light" text,
  "theme_dark" text,
  "theme_light_overrides" json,
  "theme_dark_overrides" json,
  "email_key" text generated always as (lower("email")) stored,
  "tfa_step" integer,
  "link_version" integer not null default 0,
  primary key ("id"),
  unique ("token"),
  unique ("external_identifier"),
  unique ("email_key"),
  foreign key ("role") references "service_roles" ("id") on delete set null);
create index "main"."service_users_role_index" on "service_users" ("role");
create table "tain"."service_policies" (
  "id" uuid not null,
  "name" text not null,
  "icon" text not null default 'badge',
  "description" text,
  "ip_access" json,
  "enforce_tfa" boolean not null default false,
  "admin_access" boolean not null default false,
  "app_access" boolean not null default false,
  primary key ("id"));
create table "tain"."service_access" (
  "id" uuid not null,
  "role" uuid,
  "user" uuid,
  "policy" uuid not null,
  "sort" integer,
  primary key ("id"),
  foreign key ("role") references "service_roles" ("id") on delete cascade,
  foreign key ("user") references "service_users" ("id") on delete cascade,
  foreign key ("policy") references "service_policies" ("id") on delete cascade);
create index "main"."service_access_role_index" on "service_access" ("role");
create index "main"."service_access_user_index" on "service_access" ("user");
create index "main"."service_access_policy_index" on "service_access" ("policy");
create table "tain"."service_permissions" (
  "id" integer primary key autoincrement,
  "policy" uuid not null,
  "collection" text not null,
  "action" text not null,
  "permissions" json,
  "validation" json,
  "presets" json,
  "fields" json,
  foreign key ("policy") references "service_policies" ("id") on delete cascade);
create index "main"."service_permissions_policy_index" on "service_permissions" ("policy");
create table "tain"."service_sessions" (
  "token" text not null,
  "user" uuid,
  "family" uuid not null,
  "expires" timestamp not null,
  "ip" text,
  "user_agent" text,
  "origin" text,
  "next_token" text,
  "used" timestamp,
  primary key ("token"),
  foreign key ("user") references "service_users" ("id") on delete cascade);
create index "main"."service_sessions_user_index" on "service_sessions" ("user");
create index "main"."service_sessions_family_index" on "service_sessions" ("family");
create table "tain"."service_folders" (
  "id" uuid not null,
  "name" text not null,
  "parent" uuid,
  primary key ("id"),
  foreign key ("parent") references "service_folders" ("id") on delete set null);
create table "tain"."service_files" (
  "id" uuid not null,
  "storage" text not null,
  "filename_disk" text,
  "filename_download" text not null,
  "title" text,
  "type" text,
  "folder" uuid,
  "uploaded_by" uuid,
  "created_on" timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "modified_by" uuid,
  "modified_on" timestamp not null default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "charset" text,
  "filesize" bigint,
  "width" integer,
  "height" integer,
  "duration" integer,
  "embed" text,
  "description" text,
  "location" text,
  "tags" json,
  "metadata" json,
  "focal_point_x" integer,
  "focal_point_y" integer,
  "tus_id" text,
  "tus_data" json,
  "uploaded_on" timestamp,
  "checksum" text,
  primary key ("id"),
  foreign key ("folder") references "service_folders" ("id") on delete set null,
  foreign key ("uploaded_by") references "service_users" ("id") on delete set null,
  foreign key ("modified_by") references "service_users" ("id") on delete set null);
create index "main"."service_files_folder_index" on "service_files" ("folder");
create table "tain"."service_settings" (
  "id" integer primary key autoincrement,
  "project_name" text not null default 'Tain',
  "project_descriptor" text,
  "project_url" text,
  "project_color" text not null default '#6644FF',
  "project_logo" uuid,
  "public_foreground" uuid,
  "public_background" uuid,
  "public_favicon" uuid,
  "public_note" text,
  "default_language" text not null default 'en-US',
  "default_appearance" text not null default 'auto',
  "default_theme_light" text,
  "default_theme_dark" text,
  "theme_light_overrides" json,
  "theme_dark_overrides" json,
  "custom_css" text,
  "module_bar" json,
  "auth_login_attempts" integer default 5,
  "auth_password_policy" text,
  "public_registration" boolean not null default false,
  "public_registration_verify_email" boolean not null default true,
  "public_registration_role" uuid,
  "public_registration_email_filter" json,
  "storage_asset_transform" text not null default 'all',
  "storage_asset_transform_public" text not null default 'presets',
  "storage_asset_presets" json,
  "storage_default_folder" uuid,
  "basemaps" json,
  "mapbox_key" text,
  "custom_aspect_ratios" json,
  "report_error_url" text,
  "report_bug_url" text,
  "report_feature_url" text,
  "visual_editor_urls" json,
  "default_save_action" text default 'stay',
  foreign key ("public_registration_role") references "service_roles" ("id") on delete set null,
  foreign key ("storage_default_folder") references "service_folders" ("id") on delete set null);
create table "tain"."service_presets" (
  "id" integer primary key autoincrement,
  "bookmark" text,
  "user" uuid,
  "role" uuid,
  "collection" text,
  "search" text,
  "layout" text default 'tabular',
  "layout_query" json,
  "layout_options" json,
  "refresh_interval" integer,
  "filter" json,
  "icon" text default 'bookmark',
  "color" text,
  foreign key ("user") references "service_users" ("id") on delete cascade,
  foreign key ("role") references "service_roles" ("id") on delete cascade);
create index "main"."service_presets_user_index" on "service_presets" ("user");
create table "tain"."service_notifications" (
  "id" integer primary key autoincrement,
  "timestamp" timestamp default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "status" text default 'inbox',
  "recipient" uuid not null,
  "sender" uuid,
  "subject" text not null,
  "message" text,
  "collection" text,
  "item" text,
  foreign key ("recipient") references "service_users" ("id") on delete cascade,
  foreign key ("sender") references "service_users" ("id") on delete set null);
create index "main"."service_notifications_recipient_index" on "service_notifications" ("recipient");
create table "tain"."service_comments" (
  "id" uuid not null,
  "collection" text not null,
  "item" text not null,
  "comment" text not null,
  "date_created" timestamp default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "date_updated" timestamp,
  "user_created" uuid,
  "user_updated" uuid,
  primary key ("id"),
  foreign key ("user_created") references "service_users" ("id") on delete set null,
  foreign key ("user_updated") references "service_users" ("id") on delete set null);
create index "main"."service_comments_collection_index" on "service_comments" ("collection");
create table "tain"."service_translations" (
  "id" uuid not null,
  "language" text not null,
  "key" text not null,
  "value" text not null,
  primary key ("id"),
  unique ("language", "key"));
create table "tain"."service_dashboards" (
  "id" uuid not null,
  "name" text not null,
  "icon" text not null default 'dashboard',
  "note" text,
  "color" text,
  "date_created" timestamp default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "user_created" uuid,
  primary key ("id"),
  foreign key ("user_created") references "service_users" ("id") on delete set null);
create table "tain"."service_panels" (
  "id" uuid not null,
  "dashboard" uuid not null,
  "name" text,
  "icon" text,
  "color" text,
  "show_header" boolean not null default false,
  "note" text,
  "type" text not null,
  "position_x" integer not null,
  "position_y" integer not null,
  "width" integer not null,
  "height" integer not null,
  "options" json,
  "date_created" timestamp default (strftime('%Y-%m-%d %H:%M:%f', 'now')),
  "user_created" uuid,
  primary key ("id"),
  foreign key ("dashboard") references "service_dashboards" ("id") on delete cascade,
  foreign key ("user_created") references "service_users" ("id") on delete set null);
create index "main"."service_panels_dashboard_index" on "service_panels" ("dashboard");
create table "tain"."service_webhooks" (
  "id" uuid not null,
  "name" text not null,
  "url" text not null,
  "status" text not null default 'active',
  "collections" json not null,
  "events" json not null,
  "fields" json not null,
  "filter" json,
  "user" uuid,
  "headers" json,
  "secret" text not null,
  "dead_count" integer not null default 0,
  "last_success" timestamp,
  "last_failure" timestamp,
  "failing_since" timestamp,
  "next_probe" timestamp,
  "previous_secret" text,
  "rotated" timestamp,
  "epoch" text,
  "number" integer,
  "ordinal" integer not null default 0,
  "failures" integer not null default 0,
  primary key ("id"));
create table "tain"."service_deliveries" (
  "id" text not null,
  "webhook" text not null,
  "type" text not null,
  "collection" text not null,
  "key" text not null,
  "position" text not null,
  "status" text not null default 'waiting',
  "attempts" json not null,
  "next_attempt" timestamp,
  "epoch" text not null,
  "number" integer not null,
  "ordinal" integer not null,
  "item" text not null,
  "content" text not null,
  "tries" integer not null default 0,
  "leased_until" timestamp,
  "fence" integer not null default 0,
  "ended" timestamp,
  "due" timestamp,
  primary key ("id"),
  foreign key ("webhook") references "service_webhooks" ("id") on delete cascade);
create index "main"."service_deliveries_webhook_item_status_ordinal_index" on "service_deliveries" ("webhook", "item", "status", "ordinal");
create index "main"."service_deliveries_webhook_epoch_number_index" on "service_deliveries" ("webhook", "epoch", "number");
create index "main"."service_deliveries_ended_index" on "service_deliveries" ("ended");
create index "main"."service_deliveries_due_index" on "service_deliveries" ("webhook", "due", "ordinal") where status = 'waiting';
create index "main"."service_deliveries_dead_index" on "service_deliveries" ("webhook") where status = 'dead';
insert into "tain"."service_version" ("version") select 1 from (select 1 as one) as o
      where not exists (select 1 from "tain"."service_version");
insert into "tain"."service_settings" ("id") select 1 from (select 1 as one) as o
      where not exists (select 1 from "tain"."service_settings");
insert into "tain"."service_event_head" ("epoch") select ? from (select 1 as one) as o
      where not exists (select 1 from "tain"."service_event_head");
