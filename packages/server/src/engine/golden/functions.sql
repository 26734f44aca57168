-- articles {"fields":["year(published)","count(comments)","json(document,a)"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, extract(year from "t2"."published")::int as "c0", (
    select count(*)
    from "public"."comments" as "t3"
    where "t3"."article" = "t2"."id"
  ) as "c1", ("t2"."document" #> $1::text[]) as "c2"
  from (
    select "t1"."published", "t1"."id", "t1"."document"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, year(nullif(`t2`.`published`, 0)) as `c0`, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t2`.`document`, l.p)) <> 'ARRAY'
  ) then json_extract(`t2`.`document`, ?) end) as `c2`, `t2`.`s0` as `o0`
  from (
    select `t1`.`published`, `t1`.`id`, `t1`.`document`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, tain_part('year', "t2"."published") as "c0", (
    select count(*)
    from "main"."comments" as "t3"
    where "t3"."article" = "t2"."id"
  ) as "c1", tain_json_at("t2"."document", ?) as "c2"
  from (
    select "t1"."published", "t1"."id", "t1"."document"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
