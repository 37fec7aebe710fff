-- Gives a tenant the agents of the platform. Provisioning calls it for each new tenant. Their definitions are here and
-- nowhere else; a migration that changes them also has to change those that tenants have already.
create or replace function add_platform_agents(of_tenant uuid) returns void language sql as $$
  with added as (
    insert into agent (tenant_id, id, kind, name, role, instructions, tools)
    select of_tenant, audit_id(clock_timestamp()), 'platform', p.name, p.role, p.instructions, p.tools
    from (values
      ('Assistant', 'assistant',
        array['search_knowledge', 'ask_verification', 'hand_off'],
        'Answer the contact from the approved knowledge of the workspace and from nothing else, in the language of '
        'the conversation. Say what an answer rests on. Hand the conversation off to a person where the contact asks '
        'for one, or where you do not know the answer.'),
      ('Verification', 'verification',
        array['ask_verification', 'hand_off'],
        'Find out who the contact is, as sure as it was asked for and no surer. Ask one question at a time. Never '
        'say whether a wrong answer was close, what the right one is, or what is known about the contact. When a '
        'limit is reached, offer another way or hand over to a person.'),
      ('Learning', 'learning',
        array['search_knowledge'],
        'Read resolved conversations and propose what the workspace does not know yet, as pending entries with the '
        'messages that they rest on. Leave out names, addresses, numbers and whatever else belongs to one person. '
        'Propose nothing that an approved or pending entry says already.')
    ) p (name, role, tools, instructions)
    on conflict do nothing
    returning *
  )
  insert into agent_instructions (tenant_id, agent_id, version, instructions)
  select tenant_id, id, 1, instructions from added
$$;
