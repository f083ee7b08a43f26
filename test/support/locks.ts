import pg from 'pg'

/**
 * Locks the row in which every click and sale of an account is counted, as another long transaction would. Returns the
 * function that unlocks it.
 */
export async function lockFigures(url: string, accountId: string): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  // only this one row, so that the lock cannot become half of a deadlock
  const { rowCount } = await other.query(
    'select from total_stats where account_id = $1 and partner_id = $2 and blueprint_id = $2 for update',
    [accountId, '00000000-0000-0000-0000-000000000000'],
  )
  if (!rowCount) throw new Error('nothing was counted for this account yet')
  return () => other.end()
}
