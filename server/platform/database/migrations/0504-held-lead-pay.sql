-- The cases of the lead and its partner that were open when its pay was booked: it waits for them.
alter table commission_entries add column held_by uuid[];
