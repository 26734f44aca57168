select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`title`), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`enrollments` as `t4` join `app`.`courses` as `t3` on `t3`.`id` = `t4`.`course_id`
    where `t4`.`student_id` = `t2`.`id`
  ) as `c1`, (
    select concat('[', coalesce(group_concat(coalesce(json_quote(concat(replace(replace(replace(cast(`t5`.`student_id` as char), '%', '%25'), ',', '%2C'), '/', '%2F'), ',', replace(replace(replace(cast(`t5`.`course_id` as char), '%', '%25'), ',', '%2C'), '/', '%2F'))), 'null') order by `t5`.`student_id`, `t5`.`course_id` separator ', ' limit 100), ''), ']')
    from `app`.`enrollments` as `t5`
    where `t5`.`student_id` = `t2`.`id`
  ) as `c2`, `t2`.`s0` as `o0`
  from (
    select `t1`.`name`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`students` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
