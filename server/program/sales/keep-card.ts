import type { Transaction } from '../../platform/database/pool.ts'

/** Stores the card of a sale whose first report had none. It counts for later sales; this one is judged already. */
export const saveCardHash = (tx: Transaction, accountId: string, saleId: string, cardHash: Buffer) => tx.run`
  update sales set card_hash = ${cardHash}
  where account_id = ${accountId} and id = ${saleId} and card_hash is null and not is_test`
