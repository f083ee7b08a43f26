-- The activity tells every move of a payout; nothing else read this second record of them.
drop table payout_events;
