select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, (
    select to_json(o.*)
    from (
      select (
        select coalesce(json_agg(o.*), '[]'::json)
        from (
          select
          case
          when "t4"."published" >= '0001-01-01'::timestamptz and "t4"."published" < 'infinity'::timestamptz then to_char("t4"."published", case when date_trunc('milliseconds', "t4"."published") = "t4"."published" then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end)
          else "t4"."published"::text end as "published",
          case
          when "t4"."edited" >= '0001-01-01'::timestamp and "t4"."edited" < 'infinity'::timestamp then to_char("t4"."edited", case when date_trunc('second', "t4"."edited") = "t4"."edited" then 'YYYY-MM-DD"T"HH24:MI:SS' when date_trunc('milliseconds', "t4"."edited") = "t4"."edited" then 'YYYY-MM-DD"T"HH24:MI:SS.MS' else 'YYYY-MM-DD"T"HH24:MI:SS.US' end)
          else "t4"."edited"::text end as "edited", to_char("t4"."event_time"::interval, case when date_trunc('second', "t4"."event_time"::interval) = "t4"."event_time"::interval then 'HH24:MI:SS' when date_trunc('milliseconds', "t4"."event_time"::interval) = "t4"."event_time"::interval then 'HH24:MI:SS.MS' else 'HH24:MI:SS.US' end) as "event_time", "t4"."views"::text as "views",
          case
          when "t4"."keywords" = '' then '[]'::json
          else array_to_json(string_to_array("t4"."keywords", ',')) end as "keywords"
          from "public"."articles" as "t4"
          where "t4"."author" = "t3"."id"
          order by "t4"."id"
          limit 100
        ) o
      ) as "articles"
      from "public"."authors" as "t3"
      where "t3"."id" = "t2"."author"
    ) o
  ) as "c0"
  from (
    select "t1"."author"
    from "public"."articles" as "t1"
    where "t1"."id" = $1::integer
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
