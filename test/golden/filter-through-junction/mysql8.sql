select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`students` as `t1`
  where exists (
    select 1
    from `app`.`enrollments` as `t3` join `app`.`courses` as `t2` on `t2`.`id` = `t3`.`course_id`
    where (`t3`.`student_id` = `t1`.`id` and `t2`.`title` like ?)
  )
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
