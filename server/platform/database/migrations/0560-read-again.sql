-- payments whose facts are read at their provider once more, as a release of today tells more from them
alter table provider_payments add column read_again boolean not null default false;
