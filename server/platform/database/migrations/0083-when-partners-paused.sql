-- The times at which a partner got no new credit, suspended or archived: a payment made meanwhile names nobody by their
-- code, however late it is told of.
alter table partners add column paused tstzmultirange not null default '{}';
