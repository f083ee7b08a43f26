process.env.RUNS ??= '12'
await import('./erasing.model.test.ts')
