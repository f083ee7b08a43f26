import { defineWords } from './words.ts'
/** The words of what a payee got. `received.ts` joins them. */
export const receivedPhrases = defineWords('received-phrases', 'partner', {
  at: ({ amount, rate }: { amount: string; rate: string }) => `${amount} at ${rate}`,
  lessFee: ({ amount, fee }: { amount: string; fee: string }) => `${amount}, fee ${fee}`,
})
