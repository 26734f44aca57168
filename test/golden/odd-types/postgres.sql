select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4", "r"."c5", "r"."c6", "r"."c7", "r"."c8", "r"."c9"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."mood" as "c1", array_to_json("t1"."numbers") as "c2", array_to_json("t1"."labels") as "c3", "t1"."amount" as "c4", "t1"."address" as "c5",
  case
  when isfinite("t1"."span") then coalesce(nullif(rtrim('P' || case when extract(year from "t1"."span") <> 0 then extract(year from "t1"."span") || 'Y' else '' end || case when extract(month from "t1"."span") <> 0 then extract(month from "t1"."span") || 'M' else '' end || case when extract(day from "t1"."span") <> 0 then extract(day from "t1"."span") || 'D' else '' end || replace('T' || case when extract(hour from "t1"."span") <> 0 then extract(hour from "t1"."span") || 'H' else '' end || case when extract(minute from "t1"."span") <> 0 then extract(minute from "t1"."span") || 'M' else '' end || case when trim_scale(extract(second from "t1"."span")::numeric) <> 0 then trim_scale(extract(second from "t1"."span")::numeric) || 'S' else '' end || '|', 'T|', '|'), '|'), 'P'), 'PT0S')
  else "t1"."span"::text end as "c6", "t1"."bytes" as "c7", "t1"."exact" as "c8", "t1"."stamp" as "c9"
  from "public"."oddities" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true
