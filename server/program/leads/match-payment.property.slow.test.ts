process.env.RUNS ??= '80'
await import('./match-payment.property.test.ts')
