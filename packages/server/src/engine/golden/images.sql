-- articles {"fields":["id","title"]}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1_set"."n" as "c0"
  from json_array_elements($1::json) with ordinality as "t1_set"(image, n) cross join lateral json_populate_record(null::"public"."articles", "t1_set"."image") as "t1"
  where ("t1"."status" = $2::character varying or exists (
    select 1
    from "public"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = $3::character varying)
  ))
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`n` as `c0`
  from (
    select `x`.`f0` as `id`, `x`.`f1` as `title`, `x`.`f2` as `status`, `x`.`f3` as `author`, `x`.`f4` as `published`, `x`.`f5` as `views`, nullif(cast(`x`.`f6` as char), 'null') as `document`, `x`.`f7` as `password`, x.n as `n`
    from json_table(?, '$[*]' columns (n for ordinality, `f0` bigint path '$.f0', `f1` longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$.f1', `f2` longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$.f2', `f3` bigint path '$.f3', `f4` datetime(6) path '$.f4', `f5` bigint path '$.f5', `f6` json path '$.f6', `f7` longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$.f7')) as `x`
  ) as `t1`
  where (`t1`.`status` = ? or exists (
    select 1
    from `app`.`authors` as `t2`
    where (`t2`.`id` = `t1`.`author` and `t2`.`name` = ?)
  ))
) as r on true

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."n" as "c0"
  from (
    select cast(value ->> '$.f0' as integer) as "id", cast(value ->> '$.f1' as text) as "title", cast(value ->> '$.f2' as text) as "status", cast(value ->> '$.f3' as integer) as "author", cast(value ->> '$.f4' as text) as "published", cast(value ->> '$.f5' as integer) as "views", cast(nullif(value -> '$.f6', 'null') as text) as "document", cast(value ->> '$.f7' as text) as "password", key + 1 as "n"
    from json_each(?)
  ) as "t1"
  where ("t1"."status" = ? or exists (
    select 1
    from "main"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = ?)
  ))
) as r on true
