select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."price" as "c1", "t1"."price"::text as "c2", (
    select "t3"."name"
    from "public"."authors" as "t3"
    where "t3"."id" = "t1"."author"
  )::text as "c3", "t1"."id"::text as "c4"
  from "public"."articles" as "t1"
  where ("t1"."price" <= $1::numeric and ("t1"."price" < $2::numeric or ("t1"."price" = $3::numeric and (((
    select "t2"."name"
    from "public"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) > $4::character varying or (
    select "t2"."name"
    from "public"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) is null) or ((
    select "t2"."name"
    from "public"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) = $5::character varying and "t1"."id" > $6::integer)))))
  order by "t1"."price" desc, (
    select "t4"."name"
    from "public"."authors" as "t4"
    where "t4"."id" = "t1"."author"
  ), "t1"."id"
  limit 4
) as r on true
