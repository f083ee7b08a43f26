-- When the figure, window and bonus of a goal were set; null: when it was made.
alter table goals add column set_at timestamptz(3);

-- The first day that counts for the bonus; null: the first of its period.
alter table goal_awards add column counts_from date;
