export type { IoredisClient, NodeRedisClient, RedisClient, UpstashClient } from './redis-client.ts';
export { redisStore, type RedisStoreOptions } from './redis-store.ts';
