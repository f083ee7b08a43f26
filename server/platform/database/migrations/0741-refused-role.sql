-- why the last start could not serve as a role of its own, in the words of the host; null if it could, or never tried
alter table install add column role_refusal text;
