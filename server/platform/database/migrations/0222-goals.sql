-- Figures that a group's partners reach: they pay a bonus, or move the partner to another group. A deleted goal is kept
-- for its awards.
create table goals (
  id uuid not null,
  account_id uuid not null,
  group_id uuid not null,
  -- the order within the group
  position integer not null,
  name text not null check (length(name) between 1 and 60),
  metric text not null check (metric in ('leads', 'sales', 'revenue')),
  time_window text not null check (time_window in ('month', 'last-90-days', 'all-time')),
  at_least bigint check (at_least between 1 and 1000000000000),
  below bigint check (below between 1 and 1000000000000),
  bonus bigint check (bonus between 1 and 1000000000000),
  move_to_group_id uuid check (move_to_group_id <> group_id),
  applies_to text check (applies_to in ('new-customers', 'all-sales')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (id, account_id),
  check (num_nonnulls(at_least, below) = 1),
  check (num_nonnulls(bonus, move_to_group_id) = 1 and (applies_to is null) = (move_to_group_id is null)),
  check (bonus is null or (at_least is not null and time_window <> 'last-90-days')),
  check (below is null or time_window = 'last-90-days')
);
create index goals_by_group on goals (account_id, group_id, position);
select place_with_account('goals');
alter table goals add foreign key (account_id, group_id) references groups (account_id, id);
alter table goals add foreign key (account_id, move_to_group_id) references groups (account_id, id);

-- A bonus that a partner was given, with the goal as it was then. Its entries add up to the bonus or to nothing.
create table goal_awards (
  id uuid not null,
  account_id uuid not null,
  goal_id uuid not null,
  partner_id uuid not null,
  -- 'all-time', or a month as '2026-10'
  period text not null check (period ~ '^(all-time|\d{4}-\d\d)$'),
  name text not null,
  metric text not null check (metric in ('leads', 'sales', 'revenue')),
  at_least bigint not null,
  bonus bigint not null check (bonus > 0),
  -- when it was given
  figure bigint not null,
  -- until then it is taken back when its figure falls
  due_at timestamptz(3) not null,
  -- with the partner's balance: it is never judged again
  voided boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (id, account_id)
);
create unique index goal_awards_once on goal_awards (account_id, goal_id, partner_id, period);
create index goal_awards_by_due on goal_awards (due_at, account_id);
create index goal_awards_by_partner on goal_awards (account_id, partner_id);
select place_with_account('goal_awards');
alter table goal_awards add foreign key (account_id, goal_id) references goals (account_id, id);
alter table goal_awards add foreign key (account_id, partner_id) references partners (account_id, id);

-- given in even turns, taken back in odd ones
alter table commission_entries add column award_id uuid;
alter table commission_entries add column goal_id uuid;
alter table commission_entries add constraint commission_entries_of_awards
  check ((award_id is null) = (goal_id is null)
    and (award_id is null or (kind = 'bonus' and (turn % 2 = 0) = (amount > 0)))) not valid;
alter table commission_entries add constraint commission_entries_award foreign key (account_id, award_id)
  references goal_awards (account_id, id) not valid;
alter table commission_entries add constraint commission_entries_goal foreign key (account_id, goal_id)
  references goals (account_id, id) not valid;

-- the goal that moved a partner
alter table terms_log add column goal_id uuid;
create index terms_log_by_goal on terms_log (account_id, saved_at) where goal_id is not null;
