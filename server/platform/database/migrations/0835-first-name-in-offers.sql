-- Whether friends read the partner's first name in the offer behind their link.
alter table partners add column shows_first_name boolean not null default false;
