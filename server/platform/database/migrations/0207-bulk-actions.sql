-- An action on many partners or payouts. `subject_ids` are taken in their order: `done + refused` of them were.
create table bulk_actions (
  id uuid not null,
  account_id uuid not null references accounts,
  action text not null,
  subject_ids uuid[] not null check (cardinality(subject_ids) between 1 and 1000),
  reason text check (length(reason) <= 500),
  state text not null default 'running' check (state in ('running', 'done', 'canceled')),
  done int not null default 0 check (done >= 0),
  refused int not null default 0 check (refused >= 0),
  links int not null default 0 check (links >= 0),
  unsent int not null default 0 check (unsent >= 0),
  -- the first refusals: [{id, name, error}]
  refusals jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (id, account_id),
  check (done + refused <= cardinality(subject_ids)),
  check ((state = 'running') = (finished_at is null))
);
create index bulk_actions_by_account on bulk_actions (account_id, created_at, id);
create index bulk_actions_by_age on bulk_actions (created_at);
