process.env.RUNS ??= '150'
await import('./damaged.property.test.ts')
