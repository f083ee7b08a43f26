-- the owner's own words about a partner, which no partner and no administrator reads
alter table partners add column note text check (length(note) <= 2000);
