/* Finds the later registrations of a lead: on its page, and when it is deleted. */
create index leads_by_first on leads (duplicate_of_id) where duplicate_of_id is not null;
