-- articles {"aggregate":{"count":"*","countDistinct":"status","avg":"views"}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, count(*) as "c0", count(distinct "t2"."a1") as "c1", avg("t2"."a2") as "c2"
  from (
    select "t1"."status" as "a1", "t1"."views" as "a2"
    from "public"."articles" as "t1"
    where true
  ) as "t2"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, count(*) as `c0`, count(distinct `t2`.`a1`) as `c1`, left(cast(round(cast(sum(`t2`.`a2`) as decimal(65, 20)) / count(`t2`.`a2`), greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0)) as char), locate('.', cast(round(cast(sum(`t2`.`a2`) as decimal(65, 20)) / count(`t2`.`a2`), greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0)) as char)) + greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0) - (greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0) = 0)) as `c2`
  from (
    select `t1`.`status` as `a1`, `t1`.`views` as `a2`
    from `app`.`articles` as `t1`
    where true
  ) as `t2`
  limit 100
) as r on true

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, count(*) as "c0", count(distinct "t2"."a1") as "c1", tain_quotient(sum("t2"."a2"), count("t2"."a2")) as "c2"
  from (
    select "t1"."status" as "a1", "t1"."views" as "a2"
    from "main"."articles" as "t1"
    where true
  ) as "t2"
  limit 100
) as r on true
