do $$
declare
  act record;
begin
  for act in
    select subject_id, (array_agg(actor_id order by at, id))[1] as first,
      (array_agg(actor_id order by at desc, id desc))[1] as last,
      bool_or(type = 'incoming-webhook.created') as is_whole
    from events
    where audited and actor_type = 'user' and actor_id is not null
      and type in ('incoming-webhook.created', 'incoming-webhook.updated', 'incoming-webhook.url-rotated')
    group by account_id, subject_id
  loop
    update incoming_webhooks set created_by = case when act.is_whole then act.first end, changed_by = act.last
    where id = act.subject_id and exists (select from users where id = act.last);
  end loop;
end $$;
