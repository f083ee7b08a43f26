-- PostgreSQL may read the bounds of every partition there is before it looks whose they are, those of the queue among
-- them, which are times.
create or replace view click_months as
  select c.relname::text as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)')::uuid as until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'clicks'::regclass;
