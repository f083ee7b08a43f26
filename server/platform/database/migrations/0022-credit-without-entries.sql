-- What older sales were credited with is read from their entries (0016). One whose commission came to nothing has none:
-- its rates are not known any more, and gave nothing.
update sales set credit = '{"ratesPpm": [], "source": null, "line": []}'
where credit is null and partner_id is not null and account_amount > 0 and status <> 'void';
