-- The account at whose own host a session was made: it holds the person's roles at partners of that account alone.
-- Without a reference, since sessions are of people and accounts may be elsewhere in a cluster.
alter table sessions add column account_id uuid;
