process.env.RUNS ??= '40'
await import('./lead-pay.model.test.ts')
