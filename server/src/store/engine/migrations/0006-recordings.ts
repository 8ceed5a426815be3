/** Migration 6: recordings of sessions, metadata of their chunks, and the keys with which accounts decrypt them. */
import type { Migration } from '../migration.ts';

export const recordings: Migration = ({ key, int, reference, serverRowSecurity }) => [
  // Only the server uses the private key: no connection of an account can read it.
  `create table recording_key (
    account_id ${reference('account(account_id)', 'cascade')} primary key not null,
    private_key text not null,
    public_key text not null
  )`,
  ...serverRowSecurity('recording_key'),

  // One row each time a device is sent into the session: after an interruption there is another.
  `create table recording (
    id ${key},
    account_id ${reference('account(account_id)', 'cascade')} not null,
    session_id ${reference('session(id)', 'cascade')} not null,
    token_digest text not null,
    public_key text not null default '',
    chunks ${int} not null default 0,
    complete ${int} not null default 0,
    create_time ${int} not null
  )`,
  `create index recording_session on recording (session_id)`,
  `create index recording_empty on recording (create_time) where chunks = 0`,

  `create table recording_chunk (
    recording_id ${reference('recording(id)', 'cascade')} not null,
    account_id ${reference('account(account_id)', 'cascade')} not null,
    number ${int} not null,
    from_ms ${int} not null,
    to_ms ${int} not null,
    size ${int} not null,
    digest text not null,
    whole ${int} not null,
    place text not null,
    primary key (recording_id, number)
  )`,
  `create index recording_chunk_place on recording_chunk (account_id, place)`,

  // Playback addresses of the recording are derived from this; null where there is none.
  `alter table session rename column video_url to video_secret`,
  `create index session_video on session (account_id, stop_time, video_size) where video_secret is not null`,
];
