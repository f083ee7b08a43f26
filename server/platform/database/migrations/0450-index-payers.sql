-- outside a transaction

-- for the search by a customer's id
create index concurrently if not exists sales_by_customer on sales (account_id, lower(customer_id) text_pattern_ops)
  where customer_id is not null;

-- leads whose e-mail has a part after a plus, by their mailbox
create index concurrently if not exists leads_by_mailbox on leads (account_id, regexp_replace(email, '\+[^@]*@', '@'))
  where email like '%+%';
