-- Which screens a portal session shows: the whole program, or a customer's panel for inviting friends.
alter table portal_sessions add column view text not null default 'program' check (view in ('program', 'invite'));
