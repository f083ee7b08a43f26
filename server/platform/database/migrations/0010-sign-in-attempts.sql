-- Failures by person and network, by network and by person: what slows guessing down, in every process alike.
create table sign_in_attempts (
  -- derived from what is counted, so that the table tells no e-mail
  key text primary key,
  failures integer not null,
  -- the next try is refused until then
  blocked_until timestamptz(3),
  forget_at timestamptz(3) not null
);
create index sign_in_attempts_by_age on sign_in_attempts (forget_at);
