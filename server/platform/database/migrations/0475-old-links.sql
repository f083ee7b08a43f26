-- Parameters that carry the code in links of another program.
alter table accounts add column old_link_parameters text[] not null default '{}';
