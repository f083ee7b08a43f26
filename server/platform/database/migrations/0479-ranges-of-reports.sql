-- Saved reports name their days as every other screen does.
update saved_reports set period = case period
    when 'last-30-days' then 'last-month'
    when 'last-90-days' then 'last-3-months'
    when 'this-month' then 'month-to-date'
    else 'year-to-date'
  end
where period in ('last-30-days', 'last-90-days', 'this-month', 'this-year');
