-- Erasures. A tombstone and a certificate are kept for good.

create table erasure_request (
  tenant_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  certificate jsonb,
  created_at timestamptz(3) not null default now(),
  constraint "PK_07d6d458e6aba55924aecedf82c" primary key (tenant_id, id),
  constraint "FK_f715c55cd954851db801ba460e5" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id)
);
create unique index erasure_request_of_contact on erasure_request (tenant_id, contact_id);
call isolate('erasure_request', grants => 'select, insert, update');

create table erased_contact (
  tenant_id uuid not null,
  id uuid not null,
  erasure_id uuid not null,
  erased_at timestamptz(3) not null default now(),
  constraint "PK_525c375a72d4613dc6cb11c5df8" primary key (tenant_id, id),
  constraint "FK_2becf5b9c3f1ed995d52e38b427" foreign key (tenant_id, erasure_id)
    references erasure_request (tenant_id, id)
);
create index erased_contact_by_erasure on erased_contact (tenant_id, erasure_id);
call isolate('erased_contact', grants => 'select, insert');
