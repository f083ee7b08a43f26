-- Immutable, unlike array_to_string, which turns any element into text: a cluster updates by such functions alone.
create function text_of_cells(cells text[]) returns text immutable language sql as $$
  select array_to_string(cells, ' ') $$;
