-- When a void sale was last brought back. Its earlier reversals stay, beside what was restored.
alter table sales add column restored_at timestamptz(3);
