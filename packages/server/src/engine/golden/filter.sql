-- articles {"fields":"id","filter":{"_or":[{"status":{"_in":["draft","review"]}},{"title":{"_icontains":"x"},"views":{"_gte":10}}]}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where ("t1"."status" = any($1::character varying[]) or (lower("t1"."title") like lower($2::text) and "t1"."views" >= $3::integer))
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (`t1`.`status` in (
    select l.v
    from json_table(?, '$[*]' columns (v longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$')) as l
  ) or (lower(`t1`.`title`) like lower(?) and `t1`.`views` >= cast(? as signed)))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where ("t1"."status" in (
    select value
    from json_each(?)
  ) or ((instr(tain_lower("t1"."title"), ?) > 0) and "t1"."views" >= cast(? as integer)))
  order by "t1"."id"
  limit 100
) as r on true
