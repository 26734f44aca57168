-- articles {"fields":"id","search":"sea","meta":["total_count","filter_count"]}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "public"."articles" as "t2"
  where true
), (
  select count(*)
  from "public"."articles" as "t3"
  where ("t3"."id" = $1::numeric or lower("t3"."title") like lower($2::text) or lower("t3"."status") like lower($3::text) or "t3"."author" = $4::numeric or "t3"."views" = $5::numeric)
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where ("t1"."id" = $6::numeric or lower("t1"."title") like lower($7::text) or lower("t1"."status") like lower($8::text) or "t1"."author" = $9::numeric or "t1"."views" = $10::numeric)
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from `app`.`articles` as `t2`
  where true
), (
  select count(*)
  from `app`.`articles` as `t3`
  where (`t3`.`id` = cast(? as decimal(65, 30)) or lower(`t3`.`title`) like lower(?) or lower(`t3`.`status`) like lower(?) or `t3`.`author` = cast(? as decimal(65, 30)) or `t3`.`views` = cast(? as decimal(65, 30)))
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (`t1`.`id` = cast(? as decimal(65, 30)) or lower(`t1`.`title`) like lower(?) or lower(`t1`.`status`) like lower(?) or `t1`.`author` = cast(? as decimal(65, 30)) or `t1`.`views` = cast(? as decimal(65, 30)))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "main"."articles" as "t2"
  where true
), (
  select count(*)
  from "main"."articles" as "t3"
  where ("t3"."id" = cast(? as numeric) or instr(tain_lower("t3"."title"), ?) > 0 or instr(tain_lower("t3"."status"), ?) > 0 or "t3"."author" = cast(? as numeric) or "t3"."views" = cast(? as numeric))
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where ("t1"."id" = cast(? as numeric) or instr(tain_lower("t1"."title"), ?) > 0 or instr(tain_lower("t1"."status"), ?) > 0 or "t1"."author" = cast(? as numeric) or "t1"."views" = cast(? as numeric))
  order by "t1"."id"
  limit 100
) as r on true
