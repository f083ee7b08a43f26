-- All cases that hold the sale: its own, and those of its lead and partner that were open when it was judged.
alter table sales add column held_by uuid[];
