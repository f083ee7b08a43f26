/* Deliveries come in the order of their age: what finds old ones need not be written at every try. */
drop index outgoing_deliveries_by_age;
create index outgoing_deliveries_by_age on outgoing_deliveries using brin (created_at) with (autosummarize = on);
