process.env.RUNS ??= '200'
await import('./match-payment.property.test.ts')
